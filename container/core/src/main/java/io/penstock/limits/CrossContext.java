package io.penstock.limits;

/** Whether one application may reach another by {@code ServletContext.getContext}. */
public enum CrossContext {
    ALLOW("allow"),
    REFUSE("refuse");

    private final String text;

    CrossContext(String text) {
        this.text = text;
    }

    static CrossContext of(String text) {
        for (CrossContext policy : values()) {
            if (policy.text.equals(text)) {
                return policy;
            }
        }
        throw new BadValueException(Key.CROSS_CONTEXT, "must be allow or refuse, not '" + text + "'");
    }
}
