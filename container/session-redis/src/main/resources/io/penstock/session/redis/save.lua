-- KEYS: session, index; for another id in the same step the new session, its index.
-- ARGV: base, created, accessed, interval, mark, 'refuse' or 'last', digest, former digest, state, number of written, name, value ..., removed names ...
-- The mark names this change: a repetition finds it among those of the latest changes and changes nothing.
local session, index = KEYS[1], KEYS[2]
local target, target_index = KEYS[3] or session, KEYS[4] or index
local base, accessed, interval = tonumber(ARGV[1]), tonumber(ARGV[3]), tonumber(ARGV[4])
local mark, refuse, state = ARGV[5], ARGV[6] == 'refuse', ARGV[9]
local written, removed = 11, 11 + 2 * tonumber(ARGV[10])
local MARK, MARKS, REMOVALS = 8, 4, 64

local function version_of_mark(of)
  for i = 1, #of.recent, MARK do
    if string.sub(of.recent, i, i + MARK - 1) == mark then
      return of.version - (i - 1) / MARK
    end
  end
  return nil
end

local before = read(session)
if before.state == 'broken' then
  return {'broken', before.problem}
end
local exists = before.state == state
if exists then
  local repeated = version_of_mark(before)
  if repeated then
    return {'saved', repeated}
  end
  if base == 0 or (target ~= session and redis.call('EXISTS', target) == 1) then
    return {'stale', before.version}
  end
else
  if target ~= session then
    local after = read(target)
    local repeated = after.state == 'here' and version_of_mark(after)
    if repeated then
      return {'saved', repeated}
    end
  end
  if base > 0 or before.state ~= 'none' then
    return {'none'}
  end
end

-- The removed attributes: a version up to which removals have been forgotten, then name, version ..., the latest first.
local removals = {0}
if refuse and exists then
  local packed = redis.call('HGET', session, 'removed')
  if packed then
    local valid, list = pcall(cmsgpack.unpack, packed)
    if not valid or type(list) ~= 'table' or type(list[1]) ~= 'number' then
      return {'broken', 'the list of removed attributes cannot be read'}
    end
    removals = list
  end
  local removed_at = {}
  for i = 2, #removals, 2 do
    removed_at[removals[i]] = removals[i + 1]
  end
  local function changed_since(name)
    local value = redis.call('HGET', session, name)
    local at = value and tonumber(string.match(value, '^(%d+):')) or removed_at[name] or removals[1]
    return at > base
  end
  for i = written, removed - 1, 2 do
    if changed_since(ARGV[i]) then
      return {'stale', before.version}
    end
  end
  for i = removed, #ARGV do
    if changed_since(ARGV[i]) then
      return {'stale', before.version}
    end
  end
end

local version = 1
if exists then
  version = before.version + 1
  accessed = math.max(accessed, before.accessed)
end
if state == 'here' then
  schedule(target_index, ARGV[7], accessed, interval)
end
if target ~= session then
  redis.call('ZREM', index, ARGV[8])
  redis.call('RENAME', session, target)
elseif not exists then
  redis.call('DEL', session)
end

local fields = {'version', text(version), 'accessed', text(accessed), 'interval', text(interval),
  'recent', mark .. string.sub(before.recent or '', 1, MARK * (MARKS - 1))}
if not exists then
  fields[#fields + 1] = 'created'
  fields[#fields + 1] = ARGV[2]
end
local prefix = text(version) .. ':'
for i = written, removed - 1, 2 do
  fields[#fields + 1] = ARGV[i]
  fields[#fields + 1] = prefix .. ARGV[i + 1]
end
for i = 1, #fields, 1000 do
  redis.call('HSET', target, unpack(fields, i, math.min(i + 999, #fields)))
end
for i = removed, #ARGV, 1000 do
  redis.call('HDEL', target, unpack(ARGV, i, math.min(i + 999, #ARGV)))
end

if refuse then
  local list, named = {removals[1]}, {}
  for i = written, removed - 1, 2 do
    named[ARGV[i]] = true
  end
  for i = removed, #ARGV do
    named[ARGV[i]] = true
    list[#list + 1] = ARGV[i]
    list[#list + 1] = version
  end
  for i = 2, #removals, 2 do
    if not named[removals[i]] then
      list[#list + 1] = removals[i]
      list[#list + 1] = removals[i + 1]
    end
  end
  while #list > 1 + 2 * REMOVALS do
    list[1] = math.max(list[1], table.remove(list))
    table.remove(list)
  end
  if #list > 1 or list[1] > 0 then
    redis.call('HSET', target, 'removed', cmsgpack.pack(list))
  else
    redis.call('HDEL', target, 'removed')
  end
end
if state == 'here' then
  outlast(target, interval)
end
return {'saved', version}
