-- Where the commit of a pull request alone says why, that is a fact: the next run promotes commits anew.

delete from promotions where record_id in (select id from records where type = 'commit');

-- Rules, decisions and incidents are few among the facts of a large project, and each brief asks for them.
create index facts_by_kind on facts (source_id, kind);
