-- The fast path of save, which runs before it: the session has the version to replace, and its interval does not change. KEYS and ARGV are those of
-- save. In all other cases this script changes nothing, and save runs.
local HALF_DAY, MARK, MARKS = 43200000, 8, 4
local found = redis.pcall('HMGET', KEYS[1], 'version', 'accessed', 'interval', 'recent', 'from')
if found[1] == ARGV[1] and found[3] == ARGV[7] and found[4] and (ARGV[2] == '' or ARGV[2] == string.sub(found[4], 1, MARK))
    and found[2] and #found[2] <= 16 and not string.find(found[2], '%D')
    and ARGV[8] == '' and ARGV[9] == 'here' and not found[5] and not KEYS[3] then
  local before, accessed = tonumber(found[2]), tonumber(ARGV[6])
  if math.floor(before / HALF_DAY) == math.floor(math.max(before, accessed) / HALF_DAY) then
    local fields = {KEYS[1], 'version', ARGV[3], 'recent', ARGV[4] .. string.sub(found[4], 1, MARK * (MARKS - 1))}
    if accessed > before then
      fields[6], fields[7] = 'accessed', ARGV[6]
    end
    local written, removed = 11, 11 + 2 * tonumber(ARGV[10])
    if removed - written < 1000 and #ARGV - removed < 1000 then
      for i = written, removed - 1 do
        fields[#fields + 1] = ARGV[i]
      end
      redis.call('HSET', unpack(fields))
      if removed <= #ARGV then
        redis.call('HDEL', KEYS[1], unpack(ARGV, removed))
      end
      return {'saved', tonumber(ARGV[3])}
    end
  end
end

