package io.penstock.limits;

/** Whether one application may reach another by {@code ServletContext.getContext}. */
public enum CrossContext {
    ALLOW,
    REFUSE
}
