-- A trail in the quickfix list. Whoever moves in it, by :cnext or otherwise, selects the step.
local M = {}

local server = require('stubborn.server')
local hints = require('stubborn.hints')

-- The trail that is shown: `uri`, `property`, `id` of the list, `at` from 0, `entries` from list entry to step.
local current

local function entry(step, prefix, cycle)
  local text = ('%d  %s'):format(step.number + 1, step.text)
  if step.changes ~= '' then
    text = text .. '  [' .. step.changes .. ']'
  end
  if cycle > 0 and step.number == prefix then
    text = '↻ ' .. text
  end
  local location = step.location
  if not location or location == vim.NIL then
    return { text = text, valid = 0 }
  end
  return {
    filename = vim.uri_to_fname(location.uri),
    lnum = location.range.start.line + 1,
    col = location.range.start.character + 1,
    text = text,
  }
end

local function select_step(number)
  if not current or current.at == number then
    return
  end
  current.at = number
  server.execute('stubborn.step', { current.uri, current.property, number }, function()
    hints.refresh()
  end)
end

-- Follows the quickfix list: the cursor moved, perhaps by :cnext.
local function follow()
  if not current then
    return
  end
  local list = vim.fn.getqflist({ id = current.id, idx = 0, nr = 0 })
  if list.id ~= current.id then
    M.close()
  elseif list.idx and list.idx > 0 then
    select_step(list.idx - 1)
  end
end

local function open(uri, trail)
  local items = {}
  for _, step in ipairs(trail.steps) do
    items[#items + 1] = entry(step, trail.prefix, trail.cycle)
  end
  local title = ('%s: %s'):format(trail.property, trail.reason or 'violated')
  vim.fn.setqflist({}, ' ', { title = title, items = items })
  current = { uri = uri, property = trail.property, id = vim.fn.getqflist({ id = 0 }).id, n = #items }
  local group = vim.api.nvim_create_augroup('stubborn.trail', {})
  vim.api.nvim_create_autocmd({ 'CursorMoved', 'BufEnter' }, { group = group, callback = follow })
  vim.cmd('botright copen')
  vim.cmd('wincmd p')
  vim.cmd('cfirst')
  select_step(0)
end

-- Shows the trail of a property; of the only violated one, or of one that is chosen.
function M.show(property)
  local uri = vim.uri_from_bufnr(0)
  local fetch = function(name)
    server.execute('stubborn.trail', { uri, name }, function(trail)
      open(uri, trail)
    end)
  end
  if property then
    fetch(property)
    return
  end
  server.execute('stubborn.status', { uri }, function(properties)
    local violated = {}
    for _, status in ipairs(properties) do
      if status.verdict == 'violated' then
        violated[#violated + 1] = status.property
      end
    end
    if #violated == 0 then
      vim.notify('stubborn: no property of this model is violated, as far as it was checked')
    elseif #violated == 1 then
      fetch(violated[1])
    else
      vim.ui.select(violated, { prompt = 'Trail of' }, function(name)
        if name then
          fetch(name)
        end
      end)
    end
  end)
end

-- Goes on by a number of steps, or back.
function M.go(by)
  if not current then
    M.show()
    return
  end
  local to = math.max(0, math.min(current.n - 1, (current.at or 0) + by))
  vim.cmd(('silent cc %d'):format(to + 1))
  select_step(to)
end

-- Forgets the trail; the list stays.
function M.close()
  if current then
    local gone = current
    current = nil
    pcall(vim.api.nvim_del_augroup_by_name, 'stubborn.trail')
    server.execute('stubborn.step', { gone.uri, gone.property, 'none' }, hints.refresh)
  end
end

-- The step that is selected, from 1.
function M.at()
  return current and current.at and current.at + 1
end

return M
