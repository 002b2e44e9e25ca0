/** The classes of the tests' applications. */
package io.penstock.websocket.application;
