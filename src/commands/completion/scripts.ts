// The completion scripts of each shell, and of kubectl for its plugins.

/** kubectl's own completion stays as it is for everything else. Values are never evaluated. */
export const bash = `# Completion of "kubectl ztunnel" for bash: source <(kubectl ztunnel completion bash)

# $1: how many words stand before the plugin's own.
__kubectl_ztunnel_complete() {
    local line=\${COMP_LINE:0:COMP_POINT} words out value current cut='' directive=4
    # Not COMP_WORDS: bash divides those at = and :
    read -ra words <<<"$line"
    [[ $line == *[[:space:]] ]] && words+=('')
    current=\${words[\${#words[@]} - 1]}
    COMPREPLY=()
    out=$(command kubectl-ztunnel __complete "\${words[@]:$1}" 2>/dev/null </dev/null) || return 0
    # What bash replaces begins after the last = or :
    [[ $current == *=* && $COMP_WORDBREAKS == *=* ]] && cut=\${current%"\${current##*=}"}
    [[ $current == *:* && $COMP_WORDBREAKS == *:* ]] && cut=\${current%"\${current##*:}"}
    while IFS= read -r line; do
        case $line in
        :*) directive=\${line#:} ;;
        *)
            value=\${line%%$'\\t'*}
            COMPREPLY+=("\${value#"$cut"}")
            ;;
        esac
    done <<<"$out"
    ((directive & 2)) && compopt -o nospace 2>/dev/null
    ((directive & 4)) || compopt -o default 2>/dev/null
    return 0
}

__kubectl_ztunnel_plugin() {
    __kubectl_ztunnel_complete 1
}

__kubectl_ztunnel_kubectl() {
    if [[ \${COMP_WORDS[1]-} == ztunnel && $COMP_CWORD -gt 1 ]]; then
        __kubectl_ztunnel_complete 2
    elif [[ -n \${__kubectl_ztunnel_before-} ]]; then
        "$__kubectl_ztunnel_before" "$@"
    fi
}

# The function that completes kubectl so far, which bash-completion may load only when it is needed.
__kubectl_ztunnel_find() {
    local found
    found=$(complete -p kubectl 2>/dev/null)
    [[ $found == *' -F '* ]] || return 1
    found=\${found#*' -F '}
    found=\${found%% *}
    [[ $found == __kubectl_ztunnel_kubectl ]] || __kubectl_ztunnel_before=$found
}

if ! __kubectl_ztunnel_find && declare -F _completion_loader >/dev/null; then
    _completion_loader kubectl >/dev/null 2>&1
    __kubectl_ztunnel_find
fi
complete -o default -F __kubectl_ztunnel_kubectl kubectl
complete -F __kubectl_ztunnel_plugin kubectl-ztunnel
`;

/** kubectl's own completion stays as it is for everything else. Values are never evaluated. */
export const zsh = `#compdef kubectl-ztunnel
# Completion of "kubectl ztunnel" for zsh, after compinit: source <(kubectl ztunnel completion zsh)

# $1: how many words stand before the plugin's own.
__kubectl_ztunnel_complete() {
    local out line directive=4
    local -a ours values options
    ours=("\${(@Q)words[$1 + 1,CURRENT - 1]}" "\${(Q)PREFIX}")
    ((CURRENT == $1 + 1)) && ours=("\${(Q)PREFIX}")
    out=$(command kubectl-ztunnel __complete "\${ours[@]}" 2>/dev/null </dev/null) || return 1
    for line in "\${(@f)out}"; do
        if [[ $line == :* ]]; then
            directive=\${line#:}
        elif [[ $line == *$'\\t'* ]]; then
            values+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
        elif [[ -n $line ]]; then
            values+=("\${line//:/\\\\:}")
        fi
    done
    ((directive & 2)) && options=(-S '')
    ((\${#values})) && _describe -V 'kubectl ztunnel' values "\${options[@]}"
    ((directive & 4)) || _files
}

__kubectl_ztunnel_plugin() {
    __kubectl_ztunnel_complete 1
}

__kubectl_ztunnel_kubectl() {
    if [[ \${words[2]} == ztunnel ]] && ((CURRENT > 2)); then
        __kubectl_ztunnel_complete 2
    elif [[ -n $__kubectl_ztunnel_before ]]; then
        "$__kubectl_ztunnel_before" "$@"
    fi
}

if [[ \${_comps[kubectl]-} != __kubectl_ztunnel_kubectl ]]; then
    typeset -g __kubectl_ztunnel_before=\${_comps[kubectl]-}
fi
compdef __kubectl_ztunnel_kubectl kubectl
compdef __kubectl_ztunnel_plugin kubectl-ztunnel
`;

/** fish adds it to what completes kubectl otherwise. Values are never evaluated. */
export const fish = `# Completion of "kubectl ztunnel" for fish: kubectl ztunnel completion fish | source

# $argv[1]: how many words stand before the plugin's own.
function __kubectl_ztunnel_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -e words[1..$argv[1]]
    set -l out (command kubectl-ztunnel __complete $words "$current" 2>/dev/null </dev/null)
    or return
    set -l directive 4
    for line in $out
        if string match -q -- ':*' $line
            set directive (string sub -s 2 -- $line)
        else
            printf '%s\\n' $line
        end
    end
    if test $directive = 0
        __fish_complete_path "$current"
    end
end

function __kubectl_ztunnel_wanted
    set -l words (commandline -opc)
    test (count $words) -ge 2
    and test $words[2] = ztunnel
end

complete -c kubectl -n __kubectl_ztunnel_wanted -f -k -a '(__kubectl_ztunnel_complete 2)'
complete -c kubectl-ztunnel -f -k -a '(__kubectl_ztunnel_complete 1)'
`;

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

/** An executable of this name on the PATH is what kubectl ≥ 1.26 asks; it speaks the same protocol. */
export const kubectl = `#!/bin/sh
# Lets kubectl 1.26 and later complete "kubectl ztunnel". Save it as kubectl_complete-ztunnel
# in a directory of your PATH, and make it executable.
exec kubectl-ztunnel __complete "$@"
`;
