-- KEYS: indexes. ARGV: now, the most sessions, the end of the lease. Returns two lists: digests, and problems.
-- A key that is returned is leased to its server: it is not returned again before the end of the lease. The names of sessions are made here
-- from those of their indexes, which have the same hash tag.
local most, seen, found, problems = tonumber(ARGV[2]), 0, {}, {}
for _, index in ipairs(KEYS) do
  if seen >= most then
    break
  end
  local due = redis.pcall('ZRANGEBYSCORE', index, '-inf', ARGV[1], 'LIMIT', 0, most - seen)
  if due.err then
    problems[#problems + 1] = index .. ': ' .. due.err
    due = {}
  end
  local prefix = string.sub(index, 1, -#'expiry' - 1)
  seen = seen + #due
  for _, digest in ipairs(due) do
    local session = read(prefix .. digest)
    local over = session.state == 'here' and session.accessed + session.interval * 1000
    if session.state == 'broken' then
      problems[#problems + 1] = prefix .. digest .. ': ' .. session.problem
    end
    if not over or session.interval <= 0 or #digest ~= 64 or string.find(digest, '[^0-9a-f]') then
      redis.call('ZREM', index, digest)
    elseif over > tonumber(ARGV[1]) then
      redis.call('ZADD', index, text(over), digest)
    else
      redis.call('ZADD', index, ARGV[3], digest)
      found[#found + 1] = digest
    end
  end
end
return {found, problems}
