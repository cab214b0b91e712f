-- What starts a workflow, and when, is looked up and no fact: the next run promotes these anew.

delete from promotions where record_id in (select id from records where type = 'project');
