package io.penstock.sample.details;

/** One line about a request. */
record Detail(String name, Object value) {
    Detail {
        if (value == null) {
            value = "–";
        } else if (value.toString().isEmpty()) {
            value = "(empty)";
        }
    }
}
