// How Kubernetes writes amounts that came in some other form.

package main

import (
	"fmt"

	"k8s.io/apimachinery/pkg/api/resource"
)

var (
	numbers  = []string{"0", "1", "-1", "+2", "0.5", ".5", "5.", "00012", "1024", "1000", "1500", "1023", "1025", "2048", "123456", "999999", "1000000000", "1.0001", "0.0000000001", "-0.0000000001", "1.1234567891", "9223372036854775807", "9223372036854775808", "12345678901234567890", "1234567890123456789012345678901234567890", "100000000000000000000", "-1536", "0.1", "1.5", "1048576", "", "-", "abc", "1.2.3", " 1", "1 "}
	suffixes = []string{"", "n", "u", "m", "k", "M", "G", "T", "P", "E", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei", "e3", "E3", "e-3", "e1", "e9", "e20", "e-9", "e-10", "e+2", "K", "mi", "e", "Zi", "e1.5"}
)

// writeQuantities lists [written, canonical], null for what is no amount.
func writeQuantities(file string) error {
	var rows [][2]any
	for _, number := range numbers {
		for _, suffix := range suffixes {
			written := number + suffix
			parsed, err := resource.ParseQuantity(written)
			if err != nil {
				rows = append(rows, [2]any{written, nil})
				continue
			}
			rows = append(rows, [2]any{written, fmt.Sprint(parsed.String())})
		}
	}
	return writeJSON(file, rows)
}
