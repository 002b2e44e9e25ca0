package io.penstock.injection.application;

/** A class without annotations. A deployment descriptor configures its injection and its lifecycle methods. */
public class Plain {
    public String word;
    public String upper;
    public int begun;
    public int ended;

    public void setUpper(String given) {
        upper = given.toUpperCase(java.util.Locale.ROOT);
    }

    void begin() {
        begun++;
    }

    void end() {
        ended++;
    }
}
