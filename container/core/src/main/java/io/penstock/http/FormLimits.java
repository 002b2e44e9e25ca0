package io.penstock.http;

import io.penstock.limits.RequestLimits;

/**
 * Bounds on the parameters of one request.
 *
 * @param parameters most parameters, those of query and body together; beyond it 400
 * @param bytes longest form body in bytes; beyond it 413
 */
public record FormLimits(int parameters, int bytes) {

    public FormLimits {
        if (parameters < 1 || bytes < 0) {
            throw new IllegalArgumentException("form limits must be positive: " + parameters + ", " + bytes);
        }
    }

    public static FormLimits defaults() {
        return of(RequestLimits.defaults());
    }

    public static FormLimits of(RequestLimits given) {
        return new FormLimits(given.parameters(), given.formBytes());
    }
}
