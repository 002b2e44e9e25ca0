package io.penstock.http;

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
        return new FormLimits(1000, 2 * 1024 * 1024);
    }
}
