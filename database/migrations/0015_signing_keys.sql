-- The keys that sign licence documents. Owned by features/licences.
create table signing_keys (
  -- RFC 7638: the hash of the public key, so that no two keys can share a name.
  kid text primary key check (length(kid) = 43),
  -- Ed25519, 32 bytes as base64url: the `x` of a JSON Web Key.
  public_key text not null check (length(public_key) = 43),
  -- PKCS 8, sealed with SECRET_KEY. Erased when the key is retired: what cannot sign cannot be stolen.
  private_key text,
  created_at timestamptz not null default now(),
  retired_at timestamptz,
  check ((private_key is null) = (retired_at is not null))
);
create unique index signing_keys_one_signs on signing_keys ((true)) where retired_at is null;
select allow_app('signing_keys', 'select, insert, update, delete');
