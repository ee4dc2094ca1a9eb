// Package licence judges a licence document of Hostdesk without asking anybody. It needs the standard library of Go 1.19 alone.
// Judge answers the same as the libraries in other languages; all of them are tested with the cases of vectors.json.
package licence

import (
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"errors"
	"math"
	"net/netip"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"
)

// Key is one of the list `keys` of the operator's /.well-known/jwks.json.
type Key struct {
	Kid, Kty, Crv, X string
	Withdrawn        bool
}

// Expected is what a document is held against. Revocations is the text of /.well-known/licence-revocations, LeastSeq the highest
// `seq` seen so far, At is in seconds since 1970 (0: now). Nil or empty values are not compared; of the addresses one must fit.
type Expected struct {
	Keys                            []Key
	Revocations                     *string
	LeastSeq                        float64
	At                              float64
	IPv4, IPv6                      []string
	Fingerprint, LicenceKey, Issuer string
	Product                         string
	Requires                        []string
}

// Judgement has the verdicts valid and in_grace, which are licensed; not_licensed, of a true document that does not license this
// machine now; not_genuine, which proves nothing. Plan (nil: none) and Entitlements say what counts at the time.
type Judgement struct {
	Verdict, Reason string
	Plan            *string
	Entitlements    map[string]any
}

// Revocations is the operator's list of void documents. Keep its Seq, and refuse a lower one later.
type Revocations struct {
	Seq, Exp float64
	Revoked  map[string]float64
	Keys     []any
}

const clockLeeway = 300 // Seconds. A clock that is further back was perhaps set so, to keep an old document young.

type kind struct {
	name    string
	longest int
}

var (
	documents = kind{"hostdesk-licence+jwt", 65_536}
	lists     = kind{"hostdesk-revocations+jwt", 2_000_000}
	part      = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)
	moment    = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$`)
)

// Judge judges a licence document.
func Judge(document string, expected Expected) Judgement {
	at := expected.At
	if at == 0 {
		at = float64(time.Now().UnixMilli()) / 1000
	}
	kid, claims, err := readSigned(document, expected.Keys, documents)
	if err == nil && !areClaims(claims) {
		err = errors.New("unknown_claims")
	}
	var list *Revocations
	if err == nil && expected.Revocations != nil {
		list, err = ReadRevocations(*expected.Revocations, expected.Keys)
		if err != nil {
			err = errors.New("list_not_genuine")
		} else if list.Seq < expected.LeastSeq {
			err = errors.New("list_rolled_back")
		} else if contains(list.Keys, kid) {
			err = errors.New("withdrawn_key")
		}
	}
	if err != nil {
		return Judgement{"not_genuine", err.Error(), nil, map[string]any{}}
	}
	if reason := refusalOf(claims, expected, list, at); reason != "" {
		return Judgement{"not_licensed", reason, nil, map[string]any{}}
	}
	verdict := "valid"
	if at >= number(claims["exp"]) {
		verdict = "in_grace"
	}
	reason := verdict
	if list != nil && at >= list.Exp {
		reason = "list_expired"
	}
	plan, entitlements := inForceAt(claims, at)
	return Judgement{verdict, reason, plan, entitlements}
}

// ReadRevocations reads the list of void documents; the error is the reason why it is not genuine.
func ReadRevocations(text string, keys []Key) (*Revocations, error) {
	_, claims, err := readSigned(text, keys, lists)
	if err != nil {
		return nil, err
	}
	revoked, isList := claims["revoked"].([]any)
	withdrawn, isKeys := claims["withdrawn_keys"].([]any)
	list := &Revocations{number(claims["seq"]), number(claims["exp"]), map[string]float64{}, withdrawn}
	fits := isList && isKeys && isWhole(claims["seq"]) && isWhole(claims["iat"]) && isWhole(claims["exp"])
	for _, one := range revoked {
		entry, _ := one.([]any)
		if len(entry) < 2 || !isText(entry[0]) || !isWhole(entry[1]) {
			fits = false
			break
		}
		// Several of one host: the latest counts.
		sub, before := entry[0].(string), number(entry[1])
		if known, seen := list.Revoked[sub]; !seen || before > known {
			list.Revoked[sub] = before
		}
	}
	if !fits {
		return nil, errors.New("unknown_claims")
	}
	return list, nil
}

func refusalOf(claims map[string]any, expected Expected, list *Revocations, at float64) string {
	status, _ := claims["status"].(string)
	before, isRevoked := float64(0), false
	if list != nil {
		before, isRevoked = list.Revoked[claims["sub"].(string)]
	}
	machine, isBound := claims["machine"].(string)
	_, entitlements := inForceAt(claims, at)
	product, isNamed := claims["product"].(string)
	if !isNamed {
		product = "server" // The one that was there before there were several.
	}
	switch {
	case expected.Issuer != "" && expected.Issuer != claims["iss"]:
		return "other_issuer"
	case expected.LicenceKey != "" && expected.LicenceKey != claims["licence_key"]:
		return "other_licence_key"
	case expected.Product != "" && expected.Product != product:
		return "other_product"
	case number(claims["iat"]) > at+clockLeeway:
		return "not_yet_issued"
	case !fitsAddress(claims, expected):
		return "address_mismatch"
	case expected.Fingerprint != "" && isBound && machine != expected.Fingerprint:
		return "other_machine"
	case isRevoked && number(claims["iat"]) < before:
		return "revoked"
	case status == "free" || status == "suspended" || status == "too_many_machines":
		return status
	// A paid period ends at its end: the grace below covers a network that is down, not an unpaid bill.
	case status != "active" || !(at < secondsOf(claims["paid_until"])):
		return "expired"
	case at >= number(claims["exp"])+number(claims["grace_s"]):
		return "document_expired"
	}
	for _, key := range expected.Requires {
		if !isAllowed(entitlements[key]) {
			return "entitlement_missing"
		}
	}
	return ""
}

func fitsAddress(claims map[string]any, expected Expected) bool {
	if expected.IPv4 == nil && expected.IPv6 == nil {
		return true
	}
	for _, one := range expected.IPv4 {
		if claims["ipv4"] == one {
			return true
		}
	}
	licensed, _ := claims["ipv6"].(string)
	if !strings.Contains(licensed, "/") {
		licensed += "/128"
	}
	prefix, err := netip.ParsePrefix(licensed)
	for _, one := range expected.IPv6 {
		if address, bad := netip.ParseAddr(one); err == nil && bad == nil && prefix.Contains(address) {
			return true
		}
	}
	return false
}

// inForceAt returns what counts at a time: the plan, and what it allows.
func inForceAt(claims map[string]any, at float64) (*string, map[string]any) {
	present := newest(claims["next"], at)
	if present == nil {
		present = claims
	}
	return text(present["plan"]), present["entitlements"].(map[string]any)
}

func newest(spans any, at float64) (begun map[string]any) {
	list, _ := spans.([]any)
	for _, one := range list {
		if span := one.(map[string]any); secondsOf(span["from"]) <= at {
			begun = span
		}
	}
	return begun
}

func isAllowed(value any) bool {
	switch known := value.(type) {
	case bool:
		return known
	case float64:
		return known > 0
	case string:
		return known != ""
	}
	return false
}

// The header chooses among our keys and nothing more: the way of signing is fixed (RFC 8725).
func readSigned(document string, keys []Key, expected kind) (string, map[string]any, error) {
	document = strings.Trim(document, " \t\r\n")
	parts := strings.Split(document, ".")
	if len(parts) != 3 || len(document) > expected.longest || !isPart(parts[1]) || !isPart(parts[2]) || objectIn(parts[0]) == nil {
		return "", nil, errors.New("malformed")
	}
	header := objectIn(parts[0])
	_, isCritical := header["crit"]
	if header["alg"] != "EdDSA" {
		return "", nil, errors.New("wrong_algorithm")
	}
	if header["typ"] != expected.name || isCritical {
		return "", nil, errors.New("wrong_type")
	}
	for _, key := range keys {
		if header["kid"] != key.Kid {
			continue
		}
		if key.Withdrawn {
			return "", nil, errors.New("withdrawn_key")
		}
		// A signature has one spelling only: no stray bits at its end.
		signature, err := base64.RawURLEncoding.Strict().DecodeString(parts[2])
		if err != nil || len(signature) != ed25519.SignatureSize {
			return "", nil, errors.New("wrong_signature")
		}
		public, err := base64.RawURLEncoding.DecodeString(key.X)
		if err != nil || len(public) != ed25519.PublicKeySize || key.Kty != "OKP" || key.Crv != "Ed25519" {
			return "", nil, errors.New("unusable_key")
		}
		if !ed25519.Verify(public, []byte(parts[0]+"."+parts[1]), signature) {
			return "", nil, errors.New("wrong_signature")
		}
		return key.Kid, objectIn(parts[1]), nil
	}
	return "", nil, errors.New("unknown_key")
}

func areClaims(claims map[string]any) bool {
	for _, name := range []string{"iss", "sub", "licence_key", "status"} {
		if !isText(claims[name]) {
			return false
		}
	}
	for _, name := range []string{"ipv4", "plan", "paid_until"} {
		if !isTextOrNull(claims, name) {
			return false
		}
	}
	for _, name := range []string{"iat", "exp", "grace_s"} {
		if !isWhole(claims[name]) {
			return false
		}
	}
	// Later versions only add claims to those of version 2.
	if !isWhole(claims["ver"]) || number(claims["ver"]) < 2 || !isTextOrNull(claims, "edition") || !isObject(claims["entitlements"]) {
		return false
	}
	next, isList := claims["next"].([]any)
	for _, one := range next {
		begins, _ := one.(map[string]any)
		if !isText(begins["from"]) || !isText(begins["plan"]) || !isText(begins["edition"]) || !isObject(begins["entitlements"]) {
			return false
		}
	}
	return isList
}

func secondsOf(value any) float64 {
	known, _ := value.(string)
	at, err := time.Parse(time.RFC3339Nano, known)
	if err != nil || !moment.MatchString(known) {
		return math.NaN() // It never comes, and has never come.
	}
	return float64(at.UnixMilli()) / 1000
}

func isPart(text string) bool { return part.MatchString(text) && len(text)%4 != 1 }

func objectIn(text string) (object map[string]any) {
	bytes, err := base64.RawURLEncoding.DecodeString(text)
	if !isPart(text) || err != nil || !utf8.Valid(bytes) || json.Unmarshal(bytes, &object) != nil {
		return nil
	}
	return object
}

func number(value any) float64 { known, _ := value.(float64); return known }

func isWhole(value any) bool {
	known, isNumber := value.(float64)
	return isNumber && known == math.Trunc(known) && math.Abs(known) <= 1<<53-1
}

func isText(value any) bool { _, fits := value.(string); return fits }

func isObject(value any) bool { _, fits := value.(map[string]any); return fits }

func isTextOrNull(claims map[string]any, name string) bool {
	value, has := claims[name]
	return has && (value == nil || isText(value))
}

func text(value any) *string {
	if known, fits := value.(string); fits {
		return &known
	}
	return nil
}

func contains(list []any, wanted string) bool {
	for _, one := range list {
		if one == wanted {
			return true
		}
	}
	return false
}
