-- Which changes tell of a decision or an incident, and which sentences say why, is fitted: the next run promotes all anew.

delete from promotions where record_id in (select id from records where type in ('commit', 'pull', 'issue'));
