package io.penstock.sample.page;

import jakarta.servlet.http.HttpServletRequest;

/** Numbers from requests, kept within bounds. */
public final class Numbers {
    private Numbers() {}

    /** The parameter's value, limited to the bounds; {@code otherwise} if it is missing or not a number. */
    public static int parameter(HttpServletRequest request, String name, int otherwise, int least, int most) {
        String text = request.getParameter(name);
        if (text == null || !text.matches("[0-9]{1,9}")) {
            return otherwise;
        }
        return Math.max(least, Math.min(most, Integer.parseInt(text)));
    }
}
