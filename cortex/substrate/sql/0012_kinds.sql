-- Facts have an eighth kind and stricter ones, and of trifles there is none: the next run promotes these anew.

delete from promotions
where record_id in (select id from records where type in ('pull', 'issue', 'commit', 'outcome', 'event'));
