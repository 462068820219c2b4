// How fish completes `kubectl ztunnel`.

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
