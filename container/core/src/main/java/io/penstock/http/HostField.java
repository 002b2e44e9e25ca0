package io.penstock.http;

/** The rules of the Host field (RFC 9112 section 3.2, RFC 9110 section 7.2). */
final class HostField {
    private HostField() {}

    /** Throws 400 unless there is exactly one proper Host; HTTP/1.0 may do without. */
    static void check(Version version, Fields fields) throws Violation {
        int found = -1;
        for (int i = 0, n = fields.size(); i < n; i++) {
            if (fields.isNamed(i, "Host")) {
                if (found >= 0) {
                    throw new Violation(400, "more than one Host");
                }
                found = i;
            }
        }
        if (found < 0) {
            if (version != Version.HTTP_1_0) {
                throw new Violation(400, "no Host");
            }
            return;
        }
        String value = fields.value(found);
        if (!TargetSyntax.isAuthority(value)) { // empty neither: an http URI always has a host
            throw new Violation(400, "improper Host");
        }
    }
}
