// Which objects the program is held against where no API server would make them: every field of every kind that
// `decode` reads, filled by reflection and encoded with Kubernetes' own codecs.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	appsv1beta1 "k8s.io/api/apps/v1beta1"
	appsv1beta2 "k8s.io/api/apps/v1beta2"
	coordinationv1 "k8s.io/api/coordination/v1"
	coordinationv1alpha2 "k8s.io/api/coordination/v1alpha2"
	coordinationv1beta1 "k8s.io/api/coordination/v1beta1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	jsonserializer "k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
)

// kind is one kind of which pairs are made; list is nil where there is none.
type kind struct {
	version schema.GroupVersion
	object  runtime.Object
	list    runtime.Object
}

var kinds = []kind{
	{appsv1.SchemeGroupVersion, &appsv1.StatefulSet{}, &appsv1.StatefulSetList{}},
	{appsv1beta1.SchemeGroupVersion, &appsv1beta1.StatefulSet{}, &appsv1beta1.StatefulSetList{}},
	{appsv1beta2.SchemeGroupVersion, &appsv1beta2.StatefulSet{}, &appsv1beta2.StatefulSetList{}},
	{coordinationv1.SchemeGroupVersion, &coordinationv1.Lease{}, &coordinationv1.LeaseList{}},
	{coordinationv1beta1.SchemeGroupVersion, &coordinationv1beta1.Lease{}, &coordinationv1beta1.LeaseList{}},
	{coordinationv1beta1.SchemeGroupVersion, &coordinationv1beta1.LeaseCandidate{}, &coordinationv1beta1.LeaseCandidateList{}},
	{coordinationv1alpha2.SchemeGroupVersion, &coordinationv1alpha2.LeaseCandidate{}, &coordinationv1alpha2.LeaseCandidateList{}},
	{metav1.SchemeGroupVersion, &metav1.PartialObjectMetadata{}, nil},
	{schema.GroupVersion{Version: "v1"}, &metav1.Status{}, nil},
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: objects DIR")
		os.Exit(2)
	}
	if err := writeAll(os.Args[1]); err != nil {
		fmt.Fprintf(os.Stderr, "objects: %v\n", err)
		os.Exit(1)
	}
}

// writeAll replaces what an earlier run wrote into the directory.
func writeAll(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, each := range kinds {
		full := filled(each.object, filler{setAll: true})
		zero := filled(each.object, filler{})
		empty := filled(each.object, filler{setNone: true})
		for name, object := range map[string]runtime.Object{"full": full, "zero": zero, "empty": empty} {
			if err := writePair(dir, name, each.version, object); err != nil {
				return err
			}
		}
		if each.list == nil {
			continue
		}
		if err := writePair(dir, "list", each.version, listOf(each.list, zero, empty)); err != nil {
			return err
		}
	}
	return writeQuantities(filepath.Join(dir, "quantities.json"))
}

// filled is a new object of the same type.
func filled(example runtime.Object, with filler) runtime.Object {
	object := reflect.New(reflect.TypeOf(example).Elem())
	with.fill(object.Elem(), "")
	return object.Interface().(runtime.Object)
}

// listOf has a page's metadata. Items of a list have no type of their own.
func listOf(example runtime.Object, items ...runtime.Object) runtime.Object {
	list := reflect.New(reflect.TypeOf(example).Elem())
	left := int64(1<<53 + 1)
	list.Elem().FieldByName("ListMeta").Set(reflect.ValueOf(metav1.ListMeta{
		SelfLink: "/self", ResourceVersion: "7", Continue: "next", RemainingItemCount: &left,
	}))
	field := list.Elem().FieldByName("Items")
	for _, item := range items {
		copied := item.DeepCopyObject()
		copied.GetObjectKind().SetGroupVersionKind(schema.GroupVersionKind{})
		field.Set(reflect.Append(field, reflect.ValueOf(copied).Elem()))
	}
	return list.Interface().(runtime.Object)
}

// writePair writes NAME.json and NAME.pb: what the API server would send of the object in either encoding.
func writePair(dir, suffix string, version schema.GroupVersion, object runtime.Object) error {
	name := reflect.TypeOf(object).Elem().Name()
	object.GetObjectKind().SetGroupVersionKind(version.WithKind(name))
	group, _, _ := strings.Cut(version.Group, ".")
	base := filepath.Join(dir, strings.ToLower(strings.Trim(fmt.Sprintf("%s-%s-%s-%s", group, version.Version, name, suffix), "-")))
	scheme := runtime.NewScheme()
	asJSON := jsonserializer.NewSerializerWithOptions(jsonserializer.DefaultMetaFactory, scheme, scheme, jsonserializer.SerializerOptions{})
	for extension, codec := range map[string]runtime.Encoder{".json": asJSON, ".pb": protobuf.NewSerializer(scheme, scheme)} {
		var encoded bytes.Buffer
		if err := codec.Encode(object, &encoded); err != nil {
			return fmt.Errorf("%s%s: %w", base, extension, err)
		}
		if err := os.WriteFile(base+extension, encoded.Bytes(), 0o644); err != nil {
			return err
		}
	}
	return nil
}

func writeJSON(file string, value any) error {
	text, err := json.MarshalIndent(value, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(file, append(text, '\n'), 0o644)
}
