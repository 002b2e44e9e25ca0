/** A guest book: sessions, forms, redirect after POST. */
package io.penstock.sample.guestbook;
