-- What calls of models cost. A row is there before its call is made, at the most it may cost.

create table calls (
    id integer primary key,
    run text not null,                          -- whose budget it counts against: 'index:12', 'ask:…'
    purpose text not null,                      -- docs, comments, classify, compose
    tier text not null,                         -- claude, anthropic, openai
    model text not null,
    class text not null check (class in ('A', 'B')),
    started_at text not null,
    outcome text not null default 'open' check (outcome in
        ('open', 'answered', 'unusable', 'failed', 'unknown')),
    reason text not null default '',            -- why it was not answered, in a clause
    input_tokens integer not null default 0,
    output_tokens integer not null default 0,
    cost_usd real not null check (cost_usd >= 0) -- while it is open, or where nobody said, the most it may have cost
) strict;

create index calls_by_run on calls (run);
create index calls_by_time on calls (started_at);
