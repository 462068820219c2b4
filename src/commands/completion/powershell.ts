// How PowerShell completes `kubectl-ztunnel`.

/** PowerShell has one completer for a command: `kubectl ztunnel` is left to kubectl's own and its shim. */
export const powershell = `# Completion of "kubectl-ztunnel" for PowerShell:
#   kubectl ztunnel completion powershell | Out-String | Invoke-Expression

Register-ArgumentCompleter -Native -CommandName 'kubectl-ztunnel' -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $words = @($commandAst.CommandElements | Select-Object -Skip 1 |
        Where-Object { $_.Extent.EndOffset -le $cursorPosition } | ForEach-Object { $_.Extent.Text })
    # An empty argument does not reach a program in every version; a space does.
    if ($wordToComplete -eq '') { $words += ' ' }
    $lines = @(& kubectl-ztunnel __complete @words 2>$null)
    foreach ($line in $lines) {
        if ($line.StartsWith(':')) { continue }
        $value, $summary = $line -split "\`t", 2
        if (-not $summary) { $summary = $value }
        [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $summary)
    }
}
`;
