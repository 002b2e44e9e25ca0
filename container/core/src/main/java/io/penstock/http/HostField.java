package io.penstock.http;

/** The rules for the Host field (RFC 9112 section 3.2, RFC 9110 section 7.2). */
final class HostField {
    private HostField() {}

    /**
     * Checks that the head has exactly one valid Host. A head in HTTP/1.0 may have no Host.
     *
     * @throws Violation 400 if a rule is violated
     */
    static void check(Version version, FieldLines fields, DecidingFields deciding) throws Violation {
        if (deciding.isRepeated(DecidingFields.Name.HOST)) {
            throw new Violation(400, "more than one Host");
        }
        if (!deciding.has(DecidingFields.Name.HOST)) {
            if (version != Version.HTTP_1_0) {
                throw new Violation(400, "no Host");
            }
            return;
        }
        // An empty Host is refused, too, since an http URI always has a host.
        if (!fields.isAuthority(DecidingFields.Name.HOST.text())) {
            throw new Violation(400, "improper Host");
        }
    }
}
