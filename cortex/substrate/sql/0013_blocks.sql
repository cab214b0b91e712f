-- Blocks of documents, so that nobody who reads one parses it again: 'h0+7/1 p9+120' is a heading of level 1, then a paragraph.

alter table records add column blocks text not null default '';
