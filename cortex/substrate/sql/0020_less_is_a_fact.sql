-- What starts a workflow, and when, is looked up and no fact, and what was chosen for tests alone no decision: the next
-- run promotes these anew.

delete from promotions
where record_id in (select id from records where type = 'project')
    or record_id in (select record_id from facts where kind = 'decision' and path = 'promotion');
