package io.penstock.sample.hello;

import java.util.Arrays;
import java.util.Locale;

/** A greeting in several languages. */
enum Greeting {
    EN("English", "Hello"),
    DE("Deutsch", "Guten Tag"),
    ES("Español", "Buenos días"),
    FR("Français", "Bonjour"),
    JA("日本語", "こんにちは");

    private final String language;
    private final String words;

    Greeting(String language, String words) {
        this.language = language;
        this.words = words;
    }

    /**
     * The greeting in the language with this code, such as {@code de}. For other languages, it is the English greeting.
     */
    static Greeting in(String code) {
        return Arrays.stream(values())
                .filter(greeting -> greeting.code().equals(code))
                .findFirst()
                .orElse(EN);
    }

    String code() {
        return name().toLowerCase(Locale.ROOT);
    }

    String language() {
        return language;
    }

    String words() {
        return words;
    }
}
