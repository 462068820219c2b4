// How bash completes `kubectl ztunnel`.

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
