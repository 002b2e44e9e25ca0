package io.penstock.sample.page;

import jakarta.servlet.http.HttpServletRequest;

/** Reads numbers from request parameters, and limits their values. */
public final class Numbers {
    private Numbers() {}

    /**
     * The value of the parameter, limited to the range from {@code least} to {@code most}. The result is {@code
     * otherwise} if the parameter is missing or not a number.
     */
    public static int parameter(HttpServletRequest request, String name, int otherwise, int least, int most) {
        String text = request.getParameter(name);
        if (text == null || !text.matches("[0-9]{1,9}")) {
            return otherwise;
        }
        return Math.max(least, Math.min(most, Integer.parseInt(text)));
    }
}
