-- Values at the selected step, as virtual text.
local M = {}

local server = require('stubborn.server')
local namespace = vim.api.nvim_create_namespace('stubborn.hints')

local function text_of(label)
  if type(label) == 'string' then
    return label
  end
  local parts = {}
  for _, part in ipairs(label) do
    parts[#parts + 1] = part.value
  end
  return table.concat(parts)
end

local function show(buffer, hints)
  vim.api.nvim_buf_clear_namespace(buffer, namespace, 0, -1)
  local last = vim.api.nvim_buf_line_count(buffer) - 1
  for _, hint in ipairs(hints or {}) do
    if hint.position.line <= last then
      vim.api.nvim_buf_set_extmark(buffer, namespace, hint.position.line, 0, {
        virt_text = { { ' ' .. text_of(hint.label), 'Comment' } },
        virt_text_pos = 'eol',
      })
    end
  end
end

-- Asks again for the hints of all models that are loaded.
function M.refresh()
  local client = server.client()
  if not client then
    return
  end
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(buffer) and vim.tbl_contains(server.filetypes, vim.bo[buffer].filetype) then
      local params = {
        textDocument = { uri = vim.uri_from_bufnr(buffer) },
        range = {
          start = { line = 0, character = 0 },
          ['end'] = { line = vim.api.nvim_buf_line_count(buffer), character = 0 },
        },
      }
      server.request('textDocument/inlayHint', params, function(err, hints)
        if not err and vim.api.nvim_buf_is_loaded(buffer) then
          show(buffer, hints)
        end
      end, buffer)
    end
  end
end

-- What is shown in a buffer, line by line; for tests and status lines.
function M.shown(buffer)
  local found = {}
  for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(buffer, namespace, 0, -1, { details = true })) do
    found[#found + 1] = { line = mark[2] + 1, text = mark[4].virt_text[1][1] }
  end
  return found
end

return M
