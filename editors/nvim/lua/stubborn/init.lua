-- Stubborn in Neovim: a thin client of `stubborn lsp`.
local M = {}

local server = require('stubborn.server')

-- Changes the configuration; see |stubborn-setup|.
function M.setup(config)
  server.config = vim.tbl_deep_extend('force', server.config, config or {})
end

function M.attach(buffer)
  server.attach(buffer)
end

-- The statements that depend on the one under the cursor, in the location list; what is known of it in a window.
local function relations()
  local window = vim.api.nvim_get_current_win()
  local at = vim.lsp.util.make_position_params(window, 'utf-16')
  server.execute('stubborn.dependents', { at.textDocument.uri, at.position }, function(places)
    local items = {}
    for _, place in ipairs(places or {}) do
      local file = vim.uri_to_fname(place.uri)
      local line = place.range.start.line
      local buffer = vim.fn.bufadd(file)
      vim.fn.bufload(buffer)
      items[#items + 1] = {
        filename = file,
        lnum = line + 1,
        col = place.range.start.character + 1,
        text = vim.trim(vim.api.nvim_buf_get_lines(buffer, line, line + 1, false)[1] or ''),
      }
    end
    vim.fn.setloclist(window, {}, ' ', { title = 'Dependent statements', items = items })
    if #items == 0 then
      vim.notify('stubborn: no statement depends on this one')
    else
      vim.cmd('lopen')
      vim.api.nvim_set_current_win(window)
    end
    vim.lsp.buf.hover()
  end)
end

-- Draws the net at the selected step into a file, and opens it; answers its path by a message.
local function net()
  server.execute('stubborn.net', { vim.uri_from_bufnr(0) }, function(svg)
    local name = vim.fn.fnamemodify(vim.api.nvim_buf_get_name(0), ':t:r')
    local folder = vim.fn.fnamemodify(vim.fn.tempname(), ':h')
    local file = ('%s/%s.svg'):format(folder, name)
    vim.fn.writefile(vim.split(svg, '\n'), file)
    vim.g.stubborn_net = file
    vim.notify('stubborn: ' .. file)
    if vim.ui.open and server.config.open_pictures then
      vim.ui.open(file)
    end
  end)
end

local function status()
  server.execute('stubborn.status', { vim.uri_from_bufnr(0) }, function(properties)
    local lines = {}
    for _, property in ipairs(properties) do
      lines[#lines + 1] = property.title
    end
    vim.notify(table.concat(lines, '\n'))
  end)
end

local commands = {
  check = function()
    server.execute('stubborn.check', { vim.uri_from_bufnr(0) })
  end,
  cluster = function()
    server.execute('stubborn.checkOnCluster', { vim.uri_from_bufnr(0) })
  end,
  cancel = function()
    server.execute('stubborn.cancel', {})
  end,
  trail = function(property)
    require('stubborn.trail').show(property)
  end,
  next = function()
    require('stubborn.trail').go(1)
  end,
  prev = function()
    require('stubborn.trail').go(-1)
  end,
  close = function()
    require('stubborn.trail').close()
  end,
  net = net,
  relations = relations,
  status = status,
}

function M.command(arguments)
  local run = commands[arguments[1]]
  if not run then
    vim.notify(('stubborn: there is no command `%s`'):format(arguments[1]), vim.log.levels.ERROR)
    return
  end
  run(arguments[2])
end

function M.complete(lead, line)
  local words = vim.split(line, '%s+')
  if #words > 2 then
    return {}
  end
  return vim.tbl_filter(function(name)
    return vim.startswith(name, lead)
  end, vim.fn.sort(vim.tbl_keys(commands)))
end

return M
