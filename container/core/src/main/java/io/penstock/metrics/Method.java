package io.penstock.metrics;

/** The request methods that the metrics distinguish, by OpenTelemetry's conventions. All other methods are counted as {@link #OTHER}. */
public enum Method {
    GET,
    HEAD,
    POST,
    PUT,
    DELETE,
    CONNECT,
    OPTIONS,
    TRACE,
    PATCH,
    OTHER;

    static Method of(String sent) {
        return switch (sent) {
            case "GET" -> GET;
            case "HEAD" -> HEAD;
            case "POST" -> POST;
            case "PUT" -> PUT;
            case "DELETE" -> DELETE;
            case "CONNECT" -> CONNECT;
            case "OPTIONS" -> OPTIONS;
            case "TRACE" -> TRACE;
            case "PATCH" -> PATCH;
            default -> OTHER;
        };
    }

    public String label() {
        return this == OTHER ? "_OTHER" : name();
    }
}
