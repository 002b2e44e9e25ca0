package io.penstock.limits;

/** Whether an application can get the context of another application by {@code ServletContext.getContext}. */
public enum CrossContext {
    ALLOW,
    REFUSE
}
