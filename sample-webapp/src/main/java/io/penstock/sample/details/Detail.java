package io.penstock.sample.details;

/** One property of a request, with its name and value. */
record Detail(String name, Object value) {
    Detail {
        if (value == null) {
            value = "–";
        } else if (value.toString().isEmpty()) {
            value = "(empty)";
        }
    }
}
