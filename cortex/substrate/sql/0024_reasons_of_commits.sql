-- Where the commit of a pull request alone says why, that is a fact: the next run promotes commits anew.

delete from promotions where record_id in (select id from records where type = 'commit');
