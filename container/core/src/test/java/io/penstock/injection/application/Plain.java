package io.penstock.injection.application;

/** Has no annotations; a descriptor configures it. */
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
