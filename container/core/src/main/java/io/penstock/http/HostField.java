package io.penstock.http;

/** The rules of the Host field (RFC 9112 section 3.2, RFC 9110 section 7.2). */
final class HostField {
    private HostField() {}

    /** Throws 400 unless there is exactly one proper Host; HTTP/1.0 may do without. */
    static void check(Version version, Fields fields, DecidingFields deciding) throws Violation {
        if (deciding.isRepeated(DecidingFields.Name.HOST)) {
            throw new Violation(400, "more than one Host");
        }
        int line = deciding.line(DecidingFields.Name.HOST);
        if (line < 0) {
            if (version != Version.HTTP_1_0) {
                throw new Violation(400, "no Host");
            }
            return;
        }
        if (!TargetSyntax.isAuthority(fields.value(line))) { // empty neither: an http URI always has a host
            throw new Violation(400, "improper Host");
        }
    }
}
