package io.penstock.http;

import io.penstock.limits.ParameterLimits;
import io.penstock.limits.ServerConfig;
import io.penstock.memory.ByteAccount;

/** Creates limits on forms for tests. Each method sets some limits. All other limits have their default values. */
final class TightForms {
    private TightForms() {}

    static ParameterLimits limits(int parameters, int formBytes) {
        ParameterLimits usual = ServerConfig.defaults().parameters();
        return new ParameterLimits(
                usual.cookies(),
                usual.sessionCookies(),
                parameters,
                formBytes,
                usual.parts(),
                usual.partHeaderBytes(),
                usual.multipartHeaderBytes(),
                usual.budget());
    }

    static MultipartLimits multipart(int parts, int partHeaderBytes, long totalBytes) {
        return multipart(
                parts, partHeaderBytes, ServerConfig.defaults().parameters().multipartHeaderBytes(), totalBytes);
    }

    static MultipartLimits multipart(int parts, int partHeaderBytes, int allHeaderBytes, long totalBytes) {
        ParameterLimits usual = ServerConfig.defaults().parameters();
        return new MultipartLimits(
                new ParameterLimits(
                        usual.cookies(),
                        usual.sessionCookies(),
                        usual.parameters(),
                        usual.formBytes(),
                        parts,
                        partHeaderBytes,
                        allHeaderBytes,
                        usual.budget()),
                totalBytes);
    }

    /** Memory that is never used up. */
    static ParsedBytes memory() {
        return new ParsedBytes(new ByteAccount(Long.MAX_VALUE));
    }
}
