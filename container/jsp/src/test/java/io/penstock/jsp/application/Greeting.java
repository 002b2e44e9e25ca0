package io.penstock.jsp.application;

/** A bean. */
public class Greeting {
    private String word = "hello";

    public String getWord() {
        return word;
    }

    public void setWord(String word) {
        this.word = word;
    }

    public String to(String name) {
        return word + " " + name;
    }

    /** A function of a tag library. */
    public static String shout(String text) {
        return text.toUpperCase(java.util.Locale.ROOT) + "!";
    }
}
