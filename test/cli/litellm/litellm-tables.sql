-- The columns that the import reads, and some that it ignores, as LiteLLM 1.110 creates them.
create table "LiteLLM_BudgetTable" (
  budget_id text primary key,
  max_budget double precision,
  soft_budget double precision,
  max_parallel_requests integer,
  tpm_limit bigint,
  rpm_limit bigint,
  tpd_limit bigint,
  model_max_budget jsonb,
  budget_duration text,
  budget_reset_at timestamp(3),
  created_at timestamp(3) not null default now()
);
create table "LiteLLM_OrganizationTable" (
  organization_id text primary key,
  organization_alias text not null,
  budget_id text not null,
  metadata jsonb not null default '{}',
  models text[],
  spend double precision not null default 0
);
create table "LiteLLM_TeamTable" (
  team_id text primary key,
  team_alias text,
  organization_id text,
  admins text[],
  members text[],
  members_with_roles jsonb not null default '{}',
  metadata jsonb not null default '{}',
  max_budget double precision,
  soft_budget double precision,
  spend double precision not null default 0,
  models text[],
  max_parallel_requests integer,
  tpm_limit bigint,
  rpm_limit bigint,
  tpd_limit bigint,
  budget_duration text,
  blocked boolean not null default false,
  model_max_budget jsonb not null default '{}',
  model_id integer
);
create table "LiteLLM_UserTable" (
  user_id text primary key,
  user_email text,
  max_budget double precision,
  budget_duration text,
  tpm_limit bigint,
  rpm_limit bigint,
  spend double precision not null default 0
);
create table "LiteLLM_VerificationToken" (
  token text primary key,
  key_name text,
  key_alias text,
  spend double precision not null default 0,
  expires timestamp(3),
  models text[],
  aliases jsonb not null default '{}',
  config jsonb not null default '{}',
  user_id text,
  team_id text,
  permissions jsonb not null default '{}',
  max_parallel_requests integer,
  metadata jsonb not null default '{}',
  blocked boolean,
  tpm_limit bigint,
  rpm_limit bigint,
  tpd_limit bigint,
  max_budget double precision,
  budget_duration text,
  budget_id text,
  organization_id text,
  allowed_routes text[] default '{}',
  model_max_budget jsonb not null default '{}',
  last_active timestamp(3)
);
create table "LiteLLM_ProxyModelTable" (
  model_id text primary key,
  model_name text not null,
  litellm_params jsonb not null
);
create table "LiteLLM_TeamMembership" (
  user_id text not null,
  team_id text not null,
  spend double precision not null default 0,
  budget_id text,
  primary key (user_id, team_id)
);
