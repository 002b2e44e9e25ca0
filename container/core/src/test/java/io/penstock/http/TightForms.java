package io.penstock.http;

import io.penstock.limits.ParameterLimits;

/** Creates limits on forms for tests. Each method sets some limits. All other limits have their default values. */
final class TightForms {
    private TightForms() {}

    static ParameterLimits limits(int parameters, int formBytes) {
        ParameterLimits usual = ParameterLimits.defaults();
        return new ParameterLimits(
                usual.cookies(), usual.sessionCookies(), parameters, formBytes, usual.parts(), usual.partHeaderBytes());
    }

    static MultipartLimits multipart(int parts, int partHeaderBytes, long totalBytes) {
        ParameterLimits usual = ParameterLimits.defaults();
        return new MultipartLimits(
                new ParameterLimits(
                        usual.cookies(),
                        usual.sessionCookies(),
                        usual.parameters(),
                        usual.formBytes(),
                        parts,
                        partHeaderBytes),
                totalBytes);
    }
}
