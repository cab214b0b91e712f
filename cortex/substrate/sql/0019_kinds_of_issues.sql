-- What an issue asks for is a change, a title has to name what failed, and more of what a project states is how work is
-- done: the next run promotes these anew.

delete from promotions where record_id in (select id from records where type in ('pull', 'issue', 'commit', 'project'));
