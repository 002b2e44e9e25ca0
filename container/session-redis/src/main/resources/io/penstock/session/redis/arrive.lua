-- The second step, at the new key: writes a copy that expires. Servers do not use the copy yet. An older copy does not replace a newer one.
-- KEYS: session. ARGV: former digest, milliseconds, copied version, name, value ...
local there = read(KEYS[1])
if there.state == 'here' or (there.state == 'arriving' and there.version > tonumber(ARGV[3])) then
  return {'stale', there.version}
end
redis.call('DEL', KEYS[1])
for i = 4, #ARGV, 1000 do
  redis.call('HSET', KEYS[1], unpack(ARGV, i, math.min(i + 999, #ARGV)))
end
redis.call('HSET', KEYS[1], 'from', ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return {'saved', 0}
