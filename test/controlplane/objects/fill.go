// How a Go value is filled by reflection, the same at every run.

package main

import (
	"fmt"
	"reflect"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// filler says how much is set. Without setAll pointers lead to zero values, and lists and maps hold one of them.
type filler struct {
	setAll  bool
	setNone bool
	count   *int
}

var moment = time.Date(2026, 11, 29, 22, 3, 42, 123_456_000, time.UTC)

// amounts are in canonical form only once they have been parsed.
var amounts = []string{"100m", "1Gi", "1500Mi", "2", "1000", "1e3", "0.5", "-5k", "12345678901234567890", "1n", "1.5Gi"}

// special values have a form of their own on the wire and in JSON.
var special = map[reflect.Type]func(n int) any{
	reflect.TypeFor[metav1.Time]():       func(n int) any { return metav1.NewTime(moment.Add(time.Duration(n) * time.Second)) },
	reflect.TypeFor[metav1.MicroTime]():  func(n int) any { return metav1.NewMicroTime(moment.Add(time.Duration(n) * time.Microsecond)) },
	reflect.TypeFor[resource.Quantity](): func(n int) any { return resource.MustParse(amounts[n%len(amounts)]) },
	reflect.TypeFor[intstr.IntOrString](): func(n int) any {
		return []intstr.IntOrString{intstr.FromInt32(int32(n)), intstr.FromString(fmt.Sprintf("%d%%", n))}[n%2]
	},
	reflect.TypeFor[metav1.FieldsV1](): func(n int) any {
		return metav1.FieldsV1{Raw: []byte(fmt.Sprintf(`{"f:a%d":{".":{},"k:{\"name\":\"x\"}":{"v:<>":{}}}}`, n))}
	},
}

func (f filler) fill(value reflect.Value, name string) {
	if f.count == nil {
		f.count = new(int)
	}
	if f.setNone || value.Type() == reflect.TypeFor[metav1.TypeMeta]() {
		return
	}
	if claim, found := value.Addr().Interface().(*corev1.PersistentVolumeClaim); found {
		// As the API server does with the claims of a StatefulSet, though it is not on the wire.
		claim.TypeMeta = metav1.TypeMeta{Kind: "PersistentVolumeClaim", APIVersion: "v1"}
	}
	*f.count++
	if make, found := special[value.Type()]; found {
		if f.setAll {
			value.Set(reflect.ValueOf(make(*f.count)))
		} else if value.Type() == reflect.TypeFor[metav1.FieldsV1]() {
			value.Set(reflect.ValueOf(metav1.FieldsV1{Raw: []byte("{}")})) // one without any has no JSON
		}
		return
	}
	f.fillKind(value, name)
}

func (f filler) fillKind(value reflect.Value, name string) {
	switch value.Kind() {
	case reflect.Struct:
		for i := range value.NumField() {
			f.fill(value.Field(i), value.Type().Field(i).Name)
		}
	case reflect.Pointer:
		// A pointer to the zero time has the JSON null, which is read as none.
		if isTime := value.Type().Elem().Name() == "Time" || value.Type().Elem().Name() == "MicroTime"; isTime && !f.setAll {
			return
		}
		value.Set(reflect.New(value.Type().Elem()))
		f.fill(value.Elem(), name)
	case reflect.Slice:
		f.fillSlice(value, name)
	case reflect.Map:
		f.fillMap(value, name)
	default:
		if f.setAll {
			f.fillScalar(value, name)
		}
	}
}

// fillSlice adds two elements where they are small.
func (f filler) fillSlice(value reflect.Value, name string) {
	length := 1
	if value.Type().Elem().Kind() != reflect.Struct {
		length = 2
	}
	value.Set(reflect.MakeSlice(value.Type(), length, length))
	for i := range length {
		f.fill(value.Index(i), name)
	}
}

func (f filler) fillMap(value reflect.Value, name string) {
	value.Set(reflect.MakeMap(value.Type()))
	keys := []string{""}
	if f.setAll {
		keys = []string{"b/" + name, "a"}
	}
	for _, key := range keys {
		held := reflect.New(value.Type().Elem()).Elem()
		f.fill(held, name)
		value.SetMapIndex(reflect.ValueOf(key).Convert(value.Type().Key()), held)
	}
}

func (f filler) fillScalar(value reflect.Value, name string) {
	n := *f.count
	switch value.Kind() {
	case reflect.String:
		value.SetString(fmt.Sprintf("%s %d é", name, n))
	case reflect.Bool:
		value.SetBool(true)
	case reflect.Int32:
		value.SetInt(int64(n * (1 - n%3))) // some negative, some zero, so that neither is special
		if value.Int() == 0 {
			value.SetInt(1<<31 - 1)
		}
	case reflect.Int64:
		value.SetInt([]int64{int64(n), 1<<53 + int64(n), -1 << 63}[n%3])
	default:
		panic(fmt.Sprintf("%s is of type %s", name, value.Type()))
	}
}
