-- The full-text index: where each stem stands, what its rows and tokens are by source, and which rows it has not taken in.

create table postings (
    index_name text collate "C" not null,       -- f of facts, p of passages
    term text collate "C" not null,             -- a stem
    source_id bigint not null,
    block bigint not null,                      -- of rows 1024 * block to 1024 * block + 1023
    data bytea not null,                        -- seven bytes a row: its place in the block, its tokens, and how often the term stands in each column
    primary key (source_id, index_name, term, block)
);

-- What a common term has in a block stays in its row, as it is.
alter table postings alter column data set storage external;
alter table postings set (toast_tuple_target = 8160);

create table text_sizes (
    index_name text collate "C" not null,
    source_id bigint not null,
    rows bigint not null,
    tokens bigint not null,
    version bigint not null default cast(random() * 9e15 as bigint), -- another one whenever the source changed: by it a process knows what it has read
    primary key (source_id, index_name)
);

create table text_changes (
    index_name text collate "C" not null,
    id bigint not null,                         -- of a fact or a passage
    source_id bigint not null,
    number bigint generated always as identity,
    texts text[],                               -- what the row said that went; null: it came
    primary key (source_id, index_name, id, number)
);

create function facts_changed() returns trigger language plpgsql as $$
begin
    if tg_op = 'DELETE' then
        insert into text_changes (index_name, id, source_id, texts) select 'f', id, source_id, array[statement, parts] from before;
    elsif tg_op = 'INSERT' then
        insert into text_changes (index_name, id, source_id) select 'f', id, source_id from after;
    else
        insert into text_changes (index_name, id, source_id, texts)
        select 'f', b.id, b.source_id, array[b.statement, b.parts] from before b join after a using (id)
        where (a.statement, a.parts) <> (b.statement, b.parts);
    end if;
    return null;
end
$$;

create function passages_changed() returns trigger language plpgsql as $$
begin
    if tg_op = 'DELETE' then
        insert into text_changes (index_name, id, source_id, texts) select 'p', id, source_id, array[context, body, parts] from before;
    else
        insert into text_changes (index_name, id, source_id) select 'p', id, source_id from after;
    end if;
    return null;
end
$$;

create trigger facts_added after insert on facts
referencing new table as after for each statement execute function facts_changed();
create trigger facts_reworded after update on facts
referencing old table as before new table as after for each statement execute function facts_changed();
create trigger facts_removed after delete on facts
referencing old table as before for each statement execute function facts_changed();
create trigger passages_added after insert on passages
referencing new table as after for each statement execute function passages_changed();
create trigger passages_removed after delete on passages
referencing old table as before for each statement execute function passages_changed();

create function source_removed() returns trigger language plpgsql as $$
begin
    delete from postings where source_id = old.id;
    delete from text_sizes where source_id = old.id;
    return null;
end
$$;

create trigger source_removed after delete on sources for each row execute function source_removed();
