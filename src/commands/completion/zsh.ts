// How zsh completes `kubectl ztunnel`.

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
