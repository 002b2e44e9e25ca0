-- Saves the session. KEYS: session, index; for a change of the id also: new session, its index.
-- ARGV: the version that this save replaces (0: none), its mark or '', the new version, mark, created, accessed, interval or '', the base or '', state,
-- number of written attributes, name, value ..., removed names ...
-- The script replaces only the exact version that ARGV names, so a late script does not replace a newer version. If another version is stored, the
-- reply contains it, and the server decides whether to replace it.
-- The mark identifies the change. If the mark is among the marks of the latest changes, the call is a repetition, and changes nothing.
-- With a base, the script does not change an attribute that was changed after the base version.
local session, index = KEYS[1], KEYS[2]
local target, target_index = KEYS[3] or session, KEYS[4] or index
local replaced, version, accessed, interval = ARGV[1], ARGV[3], tonumber(ARGV[6]), tonumber(ARGV[7])
local mark, refuse, state = ARGV[4], ARGV[8] ~= '', ARGV[9]
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
  if replaced == '0' or (target ~= session and redis.call('EXISTS', target) == 1) then
    return {'stale', before.version}
  end
  if before.version ~= tonumber(replaced) or (ARGV[2] ~= '' and ARGV[2] ~= string.sub(before.recent, 1, MARK)) then
    return {'changed', before.version, before.recent}
  end
else
  if target ~= session then
    local after = read(target)
    local repeated = after.state == 'here' and version_of_mark(after)
    if repeated then
      return {'saved', repeated}
    end
  end
  if replaced ~= '0' or before.state ~= 'none' then
    return {'none'}
  end
end

-- The list of removed attributes: the version up to which the list forgot removals, and then name, version ... with the latest removal first.
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
end
if refuse and exists and ARGV[8] ~= replaced then
  local base = tonumber(ARGV[8])
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

local fields, due, recent = {'version', version}, true, mark
if exists then
  interval = interval or before.interval
  accessed = math.max(accessed, before.accessed)
  due = interval ~= before.interval or is_due(before.accessed, accessed)
  if tonumber(version) == before.version + 1 then
    recent = mark .. string.sub(before.recent, 1, MARK * (MARKS - 1))
  end
end
if state == 'here' and (due or target ~= session) then
  schedule(target_index, target, accessed, interval)
end
if target ~= session then
  redis.call('ZREM', index, digest(session))
  redis.call('RENAME', session, target)
elseif not exists then
  redis.call('DEL', session)
  fields = {'version', version, 'created', ARGV[5]}
end
local function field(name, value)
  fields[#fields + 1] = name
  fields[#fields + 1] = value
end
field('recent', recent)
if accessed ~= before.accessed then
  field('accessed', text(accessed))
end
if interval ~= before.interval then
  field('interval', text(interval))
end
for i = written, removed - 1 do
  fields[#fields + 1] = ARGV[i]
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
    list[#list + 1] = tonumber(version)
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
if state == 'here' and due then
  outlast(target, interval)
end
return {'saved', tonumber(version)}
