-- The fact that tells why a change was made is of a kind, no longer its title too: the next run promotes these anew.

delete from promotions where record_id in (select id from records where type in ('pull', 'issue', 'commit'));
