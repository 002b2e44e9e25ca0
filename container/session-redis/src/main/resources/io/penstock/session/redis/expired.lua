-- KEYS: indexes. ARGV: now, the maximum number of sessions, the end of the lease. Returns the found sessions (each the digest, then the reply of a
-- load with the attribute of the id), the problems, and whether there may be more.
-- A session that is returned is leased to its server: it is not returned again before the end of the lease. The script makes the
-- keys of sessions from those of their indexes, which have the same hash tag.
local most, seen, found, problems = tonumber(ARGV[2]), 0, {}, {}
local ID = 'a:\0id'
for _, index in ipairs(KEYS) do
  if seen >= most then
    break
  end
  local due = redis.pcall('ZRANGEBYSCORE', index, '-inf', ARGV[1], 'LIMIT', 0, most - seen)
  if due.err then
    if not string.find(due.err, 'WRONGTYPE', 1, true) then
      redis.call('ZRANGEBYSCORE', index, '-inf', ARGV[1], 'LIMIT', 0, 0) -- raises the error again, since it does not concern this index alone
    end
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
      local header, id = session.header, redis.call('HGET', prefix .. digest, ID)
      local one = {digest, header[1], header[2], header[3], header[4], session.recent}
      if id then
        one[7], one[8] = ID, id
      end
      found[#found + 1] = one
    end
  end
end
return {found, problems, seen >= most and 1 or 0}
