-- A change tells of a decision where that is likelier than before: the next run promotes those that tell why anew.

delete from promotions where record_id in (select record_id from facts where kind = 'decision' and path = 'promotion');
